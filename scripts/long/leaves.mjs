// `npm run test:leaves`: compares calls with generated records of the schema versions 1.0, A, C and D in the long form, element by
// element. `npm run test:leaves -- 2000 11` generates 2,000 records of each version with seed 11.
import { runLongTest } from './long-test.mjs';

const [records = '500', seed = '7'] = process.argv.slice(2);

runLongTest('aggregator/dist/test/every-leaf', { LEAF_RECORDS: records, LEAF_SEED: seed });
