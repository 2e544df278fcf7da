import { pollsHeldPattern } from '@ringdown/contracts/event-channels';
import { Bus } from '@ringdown/nats';
import { DIRECTORY } from '@ringdown/directory';
import { Health, Metrics } from '@ringdown/observability';
import { startWebService } from '@ringdown/web-service';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { TokenValidator } from '@ringdown/token-validation';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallPresence } from '../src/calls/call-presence.js';
import { EventChannels } from '../src/events/event-channels.js';
import { applicationPeople } from '../src/index.js';
import { Deadlines } from '../src/messaging/deadlines.js';
import { Messaging } from '../src/messaging/messaging.js';
import { InactiveClients } from '../src/presence/inactive-clients.js';
import { Presences } from '../src/presence/presences.js';
import { PeopleSearch } from '../src/search/people-search.js';
import { Subscriptions } from '../src/subscriptions/subscriptions.js';
import { writePeople } from './running-services.js';

type Started = Awaited<ReturnType<typeof startWebService>>;

describe('the service as Nest composes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-service-'));
  const peopleFile = join(folder, 'people.json');
  let nats: TestNats;
  beforeAll(async () => {
    await writePeople(peopleFile, [{ user: 'alice', name: 'Alice Archer' }]);
    nats = await startNats();
  });
  afterAll(async () => {
    await nats.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(): Promise<Started> {
    return startWebService({
      service: applicationPeople,
      env: { PUBLIC_ORIGIN: 'https://uc.example.test', SERVICE_PORT: '0', PEOPLE_FILE: peopleFile },
      natsUrl: nats.urlOf('application-people'),
      shared: { logger: quietLogger(), metrics: new Metrics(), health: new Health() },
    });
  }

  /** Resolves with the token's poll once it waits. */
  async function waitingPoll(channels: EventChannels, replica: string): Promise<{ answer: Promise<unknown> }> {
    const incoming = { ack: undefined, settings: {}, tokenHash: '', expiresAt: Date.now() + 600_000 };
    const key = { applicationId: '123456789012', instance: '0' };
    const { answer } = channels.poll({ key, ...incoming });
    while ((await channels.read(key)).waiter?.token !== `${replica}.1`) await new Promise(setImmediate);
    return { answer };
  }

  it('ends waiting requests while it still listens, then closes from the top folder down, the bus last', async () => {
    const { app, running } = await start();
    const bus = await running.busOf('application-people');
    const closed: string[] = [];
    const record = (name: string, instance: object, method: string): void => {
      const original: unknown = Reflect.get(instance, method);
      if (typeof original !== 'function') throw new Error(`${name} has no ${method}`);
      Reflect.set(instance, method, (): unknown => {
        const isListening = app.getHttpServer().listening;
        const isConnected = !bus.connection.isClosed();
        closed.push(`${name}.${method}, ${isListening ? 'listening' : isConnected ? 'connected' : 'disconnected'}`);
        return Reflect.apply(original, instance, []);
      });
    };
    for (const type of [CallPresence, Deadlines, Messaging, Subscriptions, PeopleSearch, InactiveClients, Presences]) {
      record(type.name, app.get<object>(type, { strict: false }), 'close');
    }
    for (const type of [EventChannels, TokenValidator, Bus]) {
      record(type.name, app.get<object>(type, { strict: false }), 'close');
    }
    record('EventChannels', app.get(EventChannels, { strict: false }), 'endPolls');
    record('Directory', app.get<object>(DIRECTORY, { strict: false }), 'close');
    const { answer } = await waitingPoll(app.get(EventChannels, { strict: false }), bus.replica);
    await app.close();
    expect(await answer).toMatchObject({ kind: 'timeout' });
    expect(closed).toEqual([
      'EventChannels.endPolls, listening',
      'CallPresence.close, connected',
      'Deadlines.close, connected',
      'Messaging.close, connected',
      'Subscriptions.close, connected',
      'PeopleSearch.close, connected',
      'InactiveClients.close, connected',
      'Presences.close, connected',
      'EventChannels.close, connected',
      'TokenValidator.close, connected',
      'Directory.close, connected',
      'Bus.close, connected',
    ]);
    expect(bus.connection.isClosed()).toBe(true);
  });

  it('replies to other replicas which polls wait at it', async () => {
    const { app, running } = await start();
    const { replica } = await running.busOf('application-people');
    const other = await Bus.connect({ url: nats.urlOf('application-people'), name: 'other', logger: quietLogger() });
    const isHeld = (token: string): Promise<unknown> => other.request(pollsHeldPattern(replica), { token }, 60_000);
    const { answer } = await waitingPoll(app.get(EventChannels, { strict: false }), replica);
    expect(await isHeld(`${replica}.1`)).toBe(true);
    expect(await isHeld(`${replica}.2`)).toBe(false);
    await other.close();
    await app.close();
    await answer;
    expect(other.replica).not.toBe(replica);
  });
});
