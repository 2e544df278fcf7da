// `npm run test:alert-hour`: an hour of traffic through two aggregators, of which one is killed, raises exactly the expected alerts, each
// once, with receivers that are down, slow and refuse. `npm run test:alert-hour -- 10` is ten minutes long.
import { runLongTest } from './long-test.mjs';

const [minutes = '60'] = process.argv.slice(2);

runLongTest('aggregator/dist/test/alert-hour', { RINGDOWN_ALERT_MINUTES: minutes });
