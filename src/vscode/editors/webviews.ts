/**
 * What the webviews take beyond activation: a bundle of its own, loaded when the first one opens.
 * Each `fill…` puts a page into a panel that the editor has made, and gives back what goes with the panel.
 */

export { fillCoverage } from './coverage';
export { fillDashboard } from './dashboard';
export { fillEntry } from './entry-editor';
export { fillGraph } from './graph';
export { fillNote } from './note-editor';
export { fillProject } from './project';
export { fillProjects } from './projects';
export { fillRelations } from './relations';
export { restoreRevision } from './restore';
export { fillScore } from './score';
