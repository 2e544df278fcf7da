import { JetStreamApiError } from '@nats-io/jetstream';
import type { Bus } from '../bus.js';
import { TooFewServers, withReplicas } from './replicas.js';

/** Only what {@link withReplicas} reads. */
function busWith(replicas: number): Bus {
  const partly: Pick<Bus, 'replicas'> & { connection: { info: { connect_urls: string[] } } } = {
    replicas,
    connection: { info: { connect_urls: ['a', 'b', 'c'] } },
  };
  return partly as Bus; // of which nothing else is read
}

function failure(code: number): JetStreamApiError {
  return new JetStreamApiError({ code: 404, err_code: code, description: `error ${code}` });
}

/** Fails with these codes, one after the other, and then succeeds. */
function workFailing(...codes: number[]): () => Promise<string> {
  return () => {
    const code = codes.shift();
    return code === undefined ? Promise.resolve('done') : Promise.reject(failure(code));
  };
}

describe('a change of a stream in a cluster', () => {
  it.each([
    ['there is no leader', 10_008],
    ['a server does not know its peers yet', 10_005],
    ['a server does not know a stream yet that another replica has just created', 10_059],
    ['another replica has just created the same stream and changed it', 10_058],
  ])('is repeated while %s', async (_, code) => {
    await expect(withReplicas(busWith(3), workFailing(code, code))).resolves.toBe('done');
  });

  it('is not repeated after another error', async () => {
    await expect(withReplicas(busWith(3), workFailing(10_047))).rejects.toThrow('error 10047');
  });

  it('names the setting when the server is not clustered', async () => {
    await expect(withReplicas(busWith(3), workFailing(10_074))).rejects.toThrow(TooFewServers);
  });
});
