/** What the webviews take beyond activation: a bundle of its own, loaded when the first one opens. */
export {};
