import { queryReaders } from './query-readers.js';
import { recordReaders } from './record-readers.js';

/** For `npm run fuzz:pumps`. */
export const readers = [...recordReaders, ...queryReaders];
