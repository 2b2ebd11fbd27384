/**
 * A note's file: reading, checking and editing it. Pure; a bundle of its own, because it brings YAML with it.
 */
export {
  type CollectionMember,
  editCollection,
  formatCollection,
  replaceMembers,
  targetOf,
} from '../collections/collection-text';
export { relationshipListWithout } from '../linking/relationship-list';
export { applyEdits, retarget, retargetTo } from '../linking/retarget';
export { convertOldNote, type OldNote } from '../migration/old-note';
export { contentOf, editFrontMatter, type FrontMatterChanges, lineEndOf, replaceContent } from './edit';
export { isWebAddress } from './fields';
export { checkCategory, checkId, idFault, idKey } from './ids';
export { LIMITS } from './limits';
export { isCollection, type ParsedCollection, parseCollection, parseNote, parseNoteInTurns } from './parse';
export { formatNote, noteTime } from './write';
