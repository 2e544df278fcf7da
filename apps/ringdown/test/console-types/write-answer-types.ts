// Program of `npm run docs:types`.
import { writeFileSync } from 'node:fs';
import { ANSWERS_FILE, answersFile } from './answer-types.js';

writeFileSync(ANSWERS_FILE, await answersFile());
