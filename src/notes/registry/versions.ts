import type { SemVer } from 'semver';
// One by one: the ranges, which nobody needs here, are most of it.
import compare from 'semver/functions/compare';
import inc from 'semver/functions/inc';
import parse from 'semver/functions/parse';
import prerelease from 'semver/functions/prerelease';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';

export const FIRST_VERSION = '1.0.0';

/**
 * A version by semver 2.0.0, a prerelease allowed. Build metadata is none: semver gives it no order, so that two texts
 * could have versions of which neither is the higher one. Throws `invalid_argument`.
 */
export function readVersion(text: string): SemVer {
  const version = parse(text);
  if (version && version.version === text) return version;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is no version.', text.slice(0, 40)),
    version?.build.length
      ? sentence('Leave out what follows the +.')
      : sentence('Versions look like 1.2.0 or 2.0.0-beta.1.'),
  );
}

/** What comes after a version unless told: the next patch, or the next of the same prerelease. */
export function nextVersion(latest: string): string {
  return inc(latest, prerelease(latest) ? 'prerelease' : 'patch') ?? FIRST_VERSION;
}

/** Above 0 when `a` is the higher one. */
export function compareVersions(a: string, b: string): number {
  return compare(a, b);
}
