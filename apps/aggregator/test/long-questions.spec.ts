import { Client } from 'pg';
import { Surroundings, type Problem, type RunningAggregator } from './aggregator-under-test.js';

const TOO_MUCH = 'The query takes too long: request a shorter time, or add filters.';

describe('a question that the database does not answer in time', () => {
  let on: Surroundings;
  let aggregator: RunningAggregator;
  let other: Client;

  beforeAll(async () => {
    on = await Surroundings.start();
    aggregator = await on.startAggregator();
    other = new Client({ connectionString: on.database.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await on.stop();
  });

  const ask = async (path: string): Promise<unknown> => {
    const { status, body } = await aggregator.get<Problem>(path, on.operator);
    return [status, body.code, body.detail];
  };

  it('is cancelled by the server, and users are told what to do', async () => {
    await other.query('begin; lock table calls in access exclusive mode');
    // As many as there are connections for questions.
    const paths = ['/api/calls?q=bob', '/api/statistics/total'];
    const answers = await Promise.all(paths.map(ask));
    expect(answers).toEqual(paths.map(() => [400, 'too-much', TOO_MUCH]));
    // Nobody waits for the table any more: the server has cancelled them itself.
    const waiting =
      "select count(*)::integer as waiting from pg_locks where relation = 'calls'::regclass and not granted";
    expect((await other.query(waiting)).rows).toEqual([{ waiting: 0 }]);
    await other.query('rollback');
    expect((await aggregator.get('/api/calls?verdict=bad', on.operator)).status).toBe(200);
  });
});
