import { Area } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

/** As package.json's `engines` says. */
const OLDEST_NODE = [20, 19] as const;

/** What runs here, and whether Kaizen runs on it. */
export function* checkVersions({ versions, platform }: DoctorSurroundings): Generator<DoctorFinding> {
  const area = new Area('versions');
  const { kaizen, node, editor } = versions;
  const where = editor === undefined ? 'in a terminal' : `in ${editor}`;
  yield area.ok('kaizen_version', `Kaizen ${kaizen} runs ${where} on ${platform.platform} (${process.arch}).`);
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const needs = OLDEST_NODE.join('.');
  if (isOld) {
    yield area.problem('node_old', `Node ${node} is too old: Kaizen needs ${needs} or later.`, {
      sentence: 'Install a newer Node, or update the editor that brings it.',
    });
  } else yield area.ok('node_version', `Node ${node} is new enough (${needs} or later).`);
}
