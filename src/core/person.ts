import { userInfo } from 'node:os';

/** The account's name; an account without an entry in the system's list has none. */
export function personName(): string {
  try {
    return userInfo().username || 'person';
  } catch {
    return 'person';
  }
}
