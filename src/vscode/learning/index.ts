export { LearningAtWork } from './learning-at-work';
export { asksOnCompletion, configuredLearning, LEARNING_SETTING } from './settings';
