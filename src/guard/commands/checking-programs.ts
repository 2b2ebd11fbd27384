/**
 * Tests, linters and formatters that leave the files that they are given as they are. Each is known with the options that
 * change nothing there; whatever else stands on its line counts as writing.
 */

/** By the program, with its subcommand where it has some; `--max-warnings 0` and `--max-warnings=0` are one option. */
const CHECKERS = table([
  'eslint: -c -f --config --ext --format --max-warnings',
  'stylelint:',
  'prettier: -c -l --check --config --list-different',
  'biome check:',
  'biome format:',
  'biome lint:',
  'tsc: -p --noEmit --project',
  'jest: -i -t --bail --ci --coverage --runInBand',
  'vitest: -t --bail --coverage',
  'vitest run: -t --bail --coverage',
  'mocha: -b -g -t --bail --exit --grep --recursive --timeout',
  'pytest: -k -m -n -s -vv -x -xvs --cov --lf --maxfail --tb',
  'py_compile:',
  'mypy: --ignore-missing-imports --strict',
  'pyright:',
  'flake8: --ignore --max-line-length --select',
  'pylint: -E --disable --enable',
  'ruff check: --diff --ignore --no-fix --output-format --select',
  'ruff format: --check --diff',
  'black: --check --diff --line-length',
  'isort: --check --check-only --diff --profile',
  'rustfmt: --check --edition',
  'gofmt: -d -l -s',
  'go test: -bench -count -cover -race -run -short -timeout',
  'go vet:',
  'rubocop: --only --parallel',
  'rspec: -e',
  'phpunit: --filter',
  'shellcheck: -S -e -f -s -x',
]);
/** None of them writes for these. */
const COMMON = /^(--|-q|-v|--(no-)?color|--quiet|--silent|--verbose)$/;
/** They write unless they are told only to look. */
const WRITERS = /^(black|isort|rustfmt|ruff format|tsc)$/;
const ONLY_LOOKS = /^--(check|check-only|diff|noEmit)$/;
/** An option, or what may become one; `--noEmit false`. */
const OPTION = /^[-$@%]|^false$/;

/** What starts one of them, with the words that may follow: one of these has to, where there are some. */
const RUNNERS = table([
  'npx:',
  'bunx:',
  'uvx:',
  'npm: exec x',
  'pnpm: exec dlx',
  'yarn: exec dlx',
  'bun: x',
  'uv: run',
  'poetry: run',
  'bundle: exec',
  'python: -m',
  'python3: -m',
]);
/** Their options that take no value; behind any other, what is started is not known. */
const BETWEEN = /^(-y|--yes|-q|--quiet|--)$/;
/** `eslint@9` is a version of it. */
const PACKAGE = /^(?:@biomejs\/(?=biome))?(\w+)(?:@[\w.^~-]+)?$/;
const PACKAGE_MANAGER = /^(npm|pnpm|yarn|bun)$/;
/** Scripts of a package by names that everybody gives to those that only look; `lint` often mends what it finds. */
const SCRIPT = /^(test(:(unit|integration|e2e|ci))?|type-?check|jest|vitest|mocha)$/;
/** `uv run python -m pytest` */
const MAX_DEPTH = 3;

/** What a checking program was told. */
export interface Checking {
  /** Whether all that stands there is known to leave files as they are. */
  onlyLooks: boolean;
  /** What stands behind the program and its subcommand. */
  args: readonly string[];
}

/** `eslint --fix a.ts` as `npx eslint --fix a.ts` or `npm exec eslint …`; undefined where no such program is known to run. */
export function checking(name: string, args: readonly string[], depth = 0): Checking | undefined {
  const known = checker(`${name} ${args[0]}`, args.slice(1)) ?? checker(name, args);
  if (known !== undefined || depth >= MAX_DEPTH) return known;
  // With anything else it is an interpreter.
  if (name === 'node') return /^(-c|--check|--test)$/.test(args[0] ?? '') ? plain(args.slice(1)) : undefined;
  const follows = RUNNERS.get(name);
  if (follows === undefined) return undefined;
  if (follows.length === 0 || follows.includes(args[0]!)) {
    const behind = follows.length === 0 ? args : args.slice(1);
    const at = behind.findIndex((word) => !BETWEEN.test(word));
    const started = PACKAGE.exec(behind[at] ?? '')?.[1];
    return started === undefined ? undefined : checking(started, behind.slice(at + 1), depth + 1);
  }
  if (!PACKAGE_MANAGER.test(name)) return undefined;
  const [script = '', ...rest] = args.slice(args[0] === 'run' ? 1 : 0);
  const isSure = SCRIPT.test(script);
  const meant = checking(script, rest, MAX_DEPTH) ?? (isSure ? plain(rest) : undefined);
  // A script may be called as the program that it starts, with options of its own.
  return isSure || meant?.onlyLooks === false ? meant : undefined;
}

function checker(program: string, args: readonly string[]): Checking | undefined {
  const options = CHECKERS.get(program);
  if (options === undefined) return undefined;
  const isTold = !WRITERS.test(program) || args.some((word) => ONLY_LOOKS.test(word));
  return { onlyLooks: isTold && areKnown(args, options), args };
}

/** Of what is known to look, but by no options of its own. */
function plain(args: readonly string[]): Checking | undefined {
  return areKnown(args, []) ? { onlyLooks: true, args } : undefined;
}

function areKnown(args: readonly string[], options: readonly string[]): boolean {
  return args.every((word) => !OPTION.test(word) || COMMON.test(word) || options.includes(word.split('=')[0]!));
}

function table(lines: readonly string[]): Map<string, string[]> {
  return new Map(
    lines.map((line) => {
      const [name, words] = line.split(':') as [string, string];
      return [name, words.split(' ').slice(1)];
    }),
  );
}
