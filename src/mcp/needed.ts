import { KaizenError } from '../core/errors';

/** What each operation of a tool needs beside its name: all of these arguments; of a list any one is enough. */
export type Needs<Operation extends string, Argument extends string> = Readonly<
  Record<Operation, readonly (Argument | readonly Argument[])[]>
>;

/** Throws `invalid_argument`, naming the operation that needs what is missing: `capture_outcome needs project_id.` */
export function requireNeeded<Operation extends string, Argument extends string>(
  args: { operation: Operation } & Partial<Readonly<Record<Argument, unknown>>>,
  needs: Needs<Operation, Argument>,
): void {
  const given: Partial<Readonly<Record<string, unknown>>> = args;
  for (const need of needs[args.operation]) {
    const names = typeof need === 'string' ? [need] : need;
    if (!names.some((name) => isSaid(given[name]))) throw missing(args.operation, names.join(' or '));
  }
}

/** The argument that an operation cannot do without. Throws as `requireNeeded`, with a hint where there is one. */
export function neededArgument<Args extends { operation: string }, Name extends keyof Args & string>(
  args: Args,
  name: Name,
  hint?: string,
): NonNullable<Args[Name]> {
  const said = args[name];
  if (isSaid(said)) return said;
  throw missing(args.operation, name, hint);
}

/** The same of a field within an argument: `capture_lesson needs lesson.title.` */
export function neededIn<Value extends object, Field extends keyof Value & string>(
  operation: string,
  argument: string,
  value: Value,
  field: Field,
): NonNullable<Value[Field]> {
  const said = value[field];
  if (isSaid(said)) return said;
  throw missing(operation, `${argument}.${field}`);
}

/** Many models send empty text for what they have nothing to say of. */
export function isSaid<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '');
}

function missing(operation: string, what: string, hint?: string): KaizenError {
  return new KaizenError('invalid_argument', `${operation} needs ${what}.`, hint);
}
