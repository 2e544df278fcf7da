// As many records as the collector takes, without and beside SIP messages, in turns on the same collector, aggregator and database.
import { besideMessages } from '../beside-messages.mjs';
import { inRounds } from '../rounds.mjs';
import { log, posting, rest, startAggregator, startCollector, warmUp, withDatabase } from '../system.mjs';

/** SIP messages per second beside the records: about those of 2,000 records a second. */
const MESSAGES = 3_500;
const TURNS = 5;

/** Returns `{ perSecond, turns }`, `turns`: `{ without, beside }` of each. */
export function benchTracing({ seconds }) {
  return withDatabase(async (servers, nats, server) => {
    log('posting records without and beside messages of calls, in turns …');
    const { base } = await startCollector(servers, nats);
    await startAggregator(servers, nats, server);
    await warmUp({ base });
    const post = () => posting({ base, seconds: seconds * 2 });
    const beside = async () => (await besideMessages({ base, perSecond: MESSAGES }, post)).result;
    const rows = [
      ['without', post],
      ['beside', beside],
    ];
    const rounds = await inRounds(rows, { rounds: TURNS, rest });
    const turns = rounds.get('without').map((without, turn) => ({ without, beside: rounds.get('beside')[turn] }));
    return { perSecond: MESSAGES, turns };
  });
}
