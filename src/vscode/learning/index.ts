export { LearningAtWork } from './learning-at-work';
export { rankedBy, shareOfStars, starsOfShare, type Thumb } from './opinions';
export { asksOnCompletion, configuredLearning, LEARNING_SETTING } from './settings';
export { giveThumb, takeBackThumb, thumbIcon, thumbOf, thumbTooltip } from './thumbs';
export { announceWithUndo } from './undo-notice';
