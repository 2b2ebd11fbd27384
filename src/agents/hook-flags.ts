import { isSameList } from '../core/lists';
