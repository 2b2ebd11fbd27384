import { allOf, type Sentence, sentence } from '../core/sentence';
import { shellWord } from '../core/shell-words';
import { type HookFlag, readHookFlags } from './hook-flags';
import type { AgentSurroundings } from './model';
import type { PieceNote } from './piece';

/** The flags that `kaizen setup` hands on: whoever gives them again has the same hooks again. */
const HANDED_ON = ['--data', '--shared', '--project'];

/** What hooks with these flags speak of, in words. */
export function flagsInWords(flags: readonly HookFlag[]): string | Sentence {
  if (flags.length === 0) return sentence('the stores of the folder that is worked in');
  return allOf(flags.map(inWords));
}

function inWords([name, value = '']: HookFlag): string | Sentence {
  switch (name) {
    case '--data':
      return sentence('the store in {0}', value);
    case '--shared':
      return sentence('the shared store in {0}', value);
    case '--workspace':
      return sentence('the folder {0}', value);
    case '--project':
      return sentence('the project {0}', value);
    default:
      return [name, value].join(' ').trim();
  }
}

/** What a person should know before hooks get the flags that are given now. */
export function otherFlagsNote(flags: readonly HookFlag[], { kaizen, platform }: AgentSurroundings): PieceNote {
  const wanted = flagsInWords(readHookFlags(kaizen.flags) ?? []);
  const change = sentence(
    'Until now these hooks are set up for {0}; set up by name they are for {1} from then on.',
    flagsInWords(flags),
    wanted,
  );
  return {
    sentence: sentence('{0} {1}', change, howToKeep(flags, platform.platform)),
    isCovered: false,
    isWarning: true,
  };
}

function howToKeep(flags: readonly HookFlag[], platform: NodeJS.Platform): Sentence {
  if (flags.length === 0) return sentence('To keep that, give none of these flags.');
  const words = flags.flatMap(([name, value = '']) => [name, shellWord(value, platform)]);
  // What cannot be given to it, or has no way of writing it that holds in every shell.
  if (flags.some(([name]) => !HANDED_ON.includes(name)) || words.includes(undefined))
    return sentence('To keep that, leave them as they are.');
  return sentence('To keep that, give "kaizen setup" the same flags: {0}.', words.join(' '));
}
