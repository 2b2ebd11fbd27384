/** Three numbers, with what may follow them (semver.org). */
const VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:[-+][\w.+-]+)?$/;

/** Whether this may be a version; whether the registry takes it, it says itself. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** What may come after the registry's latest version; without one, or where it cannot be read, the first. */
export function nextVersions(latest: string | undefined): { patch: string; minor: string; major: string } {
  const [, major, minor, patch] = VERSION.exec(latest ?? '') ?? [];
  if (major === undefined) return { patch: '1.0.0', minor: '1.0.0', major: '1.0.0' };
  // What comes before a release is followed by the release itself.
  const isBefore = latest?.includes('-') ?? false;
  return {
    patch: isBefore ? `${major}.${minor}.${patch}` : `${major}.${minor}.${Number(patch) + 1}`,
    minor: `${major}.${Number(minor) + 1}.0`,
    major: `${Number(major) + 1}.0.0`,
  };
}
