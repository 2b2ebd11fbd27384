/** Markdown as CommonMark tells its lines apart: headings, code, HTML. Knows no format of ours. */
export { findHeadings, type Heading, scanBlocks } from './headings';
export { plainText, titleOf } from './inline';
export { closesFence, type Fence, openingFence } from './line-kinds';
export { countLines, firstText, isBlank, Lines, lineStartingAt } from './lines';
export { findWikilinks } from './wikilinks';
