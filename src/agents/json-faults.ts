import { type ParseErrorCode, printParseErrorCode } from 'jsonc-parser';
import { type Sentence, sentence } from '../core/sentence';

/** What is wrong with JSON, by jsonc-parser's names, for a person who wrote it by hand. */
const FAULTS: Readonly<Record<string, Sentence>> = {
  InvalidSymbol: sentence('a word stands there without quotation marks'),
  InvalidNumberFormat: sentence('a number is not written as JSON has it'),
  PropertyNameExpected: sentence('the name of a property is missing'),
  ValueExpected: sentence('a value is missing'),
  ColonExpected: sentence('a colon is missing'),
  CommaExpected: sentence('a comma is missing'),
  CloseBraceExpected: sentence('a closing brace is missing'),
  CloseBracketExpected: sentence('a closing bracket is missing'),
  EndOfFileExpected: sentence('something stands behind its end'),
  UnexpectedEndOfComment: sentence('a comment is not closed'),
  UnexpectedEndOfString: sentence('a text is not closed'),
  UnexpectedEndOfNumber: sentence('a number is not whole'),
  InvalidUnicode: sentence('an escape in a text is not whole'),
  InvalidEscapeCharacter: sentence('an escape in a text is unknown'),
  InvalidCharacter: sentence('a character stands there that has to be escaped'),
};

const OTHER = sentence('something is wrong with it');

export function faultInWords(code: ParseErrorCode): Sentence {
  return FAULTS[printParseErrorCode(code)] ?? OTHER;
}
