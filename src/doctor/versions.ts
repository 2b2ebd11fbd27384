import { sentence } from '../core/sentence';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

/** As package.json's `engines` says. */
const OLDEST_NODE = [20, 19] as const;

/** What runs here, and whether Kaizen runs on it. */
export function* checkVersions({ versions, platform }: DoctorSurroundings): Generator<DoctorFinding> {
  const area = new Area('versions');
  const { kaizen, node, editor } = versions;
  const system = `${platform.platform} (${process.arch})`;
  yield area.ok(
    'kaizen_version',
    editor === undefined
      ? sentence('Kaizen {0} runs in a terminal on {1}.', kaizen, system)
      : sentence('Kaizen {0} runs in {1} on {2}.', kaizen, editor, system),
  );
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const needs = OLDEST_NODE.join('.');
  if (isOld) {
    yield area.problem('node_old', sentence('Node {0} is too old: Kaizen needs {1} or later.', node, needs), {
      sentence: sentence('Install a newer Node, or update the editor that brings it.'),
    });
  } else yield area.ok('node_version', sentence('Node {0} is new enough ({1} or later).', node, needs));
}
