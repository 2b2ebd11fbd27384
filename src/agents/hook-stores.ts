import { allOf, type Sentence, sentence } from '../core/sentence';
import { shellWord } from '../core/shell-words';
import { type HookFlag, readHookFlags } from './hook-flags';
import type { AgentSurroundings, SetUpPiece } from './model';
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
export function otherFlagsNote(
  flags: readonly HookFlag[],
  state: SetUpPiece['state'],
  { kaizen, platform }: AgentSurroundings,
): PieceNote {
  const [before, after] = [flags, readHookFlags(kaizen.flags) ?? []].map(flagsInWords) as [Said, Said];
  const isOutdated = state === 'outdated';
  const change = isOutdated
    ? sentence(
        'These hooks are out of date, and set up for {0}; set up by name, and only so, they are brought up to date and are for {1} from then on.',
        ...[before, after],
      )
    : sentence(
        'Until now these hooks are set up for {0}; set up by name they are for {1} from then on.',
        ...[before, after],
      );
  return {
    sentence: sentence('{0} {1}', change, howToKeep(flags, isOutdated, platform.platform)),
    isCovered: false,
    isWarning: true,
  };
}

type Said = string | Sentence;

function howToKeep(flags: readonly HookFlag[], isOutdated: boolean, platform: NodeJS.Platform): Sentence {
  if (flags.length === 0) return sentence('To keep that, give none of these flags.');
  const handedOn = flags.filter(([name]) => HANDED_ON.includes(name));
  const others = flags.filter(([name]) => !HANDED_ON.includes(name));
  const given = handedOn.flatMap(([name, value = '']) => [
    name,
    isOutdated && isPutIn(value) ? undefined : shellWord(value, platform),
  ]);
  const isOnce = new Set(handedOn.map(([name]) => name)).size === handedOn.length;
  // What can be given to it, and has a way of writing it that holds in every shell.
  const isGivable = isOnce && !given.includes(undefined);
  if (isGivable && others.length === 0)
    return sentence('To keep that, give "kaizen setup" the same flags: {0}.', given.join(' '));
  if (!isOutdated) return sentence('To keep that, leave them as they are.');
  if (!isGivable) return sentence('To keep that, bring their lines up to date yourself.');
  const again = others.map((flag) => flag.join(' ')).join(' ');
  return handedOn.length === 0
    ? sentence('To keep that, put this into their lines again afterwards: {0}.', again)
    : sentence(
        'To keep that, give "kaizen setup" the same flags ({0}), and put this into their lines again afterwards: {1}.',
        ...[given.join(' '), again],
      );
}

/** Whether a shell may put something in where it stands: how it was quoted is not known any more. */
function isPutIn(value: string): boolean {
  return /[$`]|^~/.test(value);
}
