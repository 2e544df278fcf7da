// Program of `npm run docs:types`.
import { writeFileSync } from 'node:fs';
import { description, DESCRIPTION_FILE } from './answer-schemas.js';

writeFileSync(DESCRIPTION_FILE, await description());
