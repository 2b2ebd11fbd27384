/** Safety of what is written; docs/safety.md. */
export { fenced } from './fence';
export { findSecrets, withoutSecrets } from './find-secrets';
export { findInstructions } from './instructions';
export {
  type InstructionFinding,
  SECRET_POLICIES,
  type SecretFinding,
  type SecretPlace,
  type SecretPolicy,
  type WriteSafetyOptions,
} from './model';
export { Redaction } from './redaction';
export { checkedWrites, described, secretFound, WriteCheck, type WriteMethods } from './write-check';
export { agentWriting, asAgent } from './writer';
