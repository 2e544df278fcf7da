import { at, header, json, textAt, type Answer } from '../src/answer.js';
import { Device } from '../src/device.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

const JSON_BODY = { 'content-type': 'application/json' };

/** Sections 5 and 6: settings that the server keeps for all clients of a person. */
describe('settings of a person', () => {
  const client = new WebClient();
  const { user, otherUser } = client.system;
  let device: Device;
  let second: Device;
  let other: Device;

  beforeAll(async () => {
    device = await Device.start(client, user);
    second = await Device.start(client, user);
    other = await Device.start(client, otherUser);
  });
  afterAll(async () => {
    for (const each of [device, second, other]) await each.end();
    await client.close();
  });

  function put(operationId: string, url: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return client.call(operationId, {
      method: 'PUT',
      url,
      token: device.session.token,
      headers: { ...JSON_BODY, ...headers },
      body: JSON.stringify(body),
    });
  }

  describe('callForwardingSettings', () => {
    const read = (by = device): Promise<unknown> =>
      by.read('readCallForwarding', by.link('me', 'callForwardingSettings'));
    const change = async (change: object): Promise<Answer> => {
      const before = await read();
      const match = { 'if-match': `"${textAt(before, 'etag')}"` };
      return put(
        'changeCallForwarding',
        device.link('me', 'callForwardingSettings'),
        { ...Object(before), ...change },
        match,
      );
    };

    it('are changed for all clients of the person, with events, and stay after a restart of the client', async () => {
      await change({ activeSetting: 'None', activePeriod: 'Always' });
      expect((await change({ activeSetting: 'SimultaneousRing', activePeriod: 'Workhours' })).status).toBe(204);
      const expected = { activeSetting: 'SimultaneousRing', activePeriod: 'Workhours' };
      expect(await read()).toMatchObject(expected);
      expect(await read(second)).toMatchObject(expected);
      await second.events.until('callForwardingSettings', 'updated');
      expect(await read(await device.restart())).toMatchObject(expected);
      expect(await read(other)).toMatchObject({ activeSetting: 'None' });
      expect((await change({ activeSetting: 'None' })).status).toBe(204);
    });

    it('are rejected when they are wrong or outdated', async () => {
      const url = device.link('me', 'callForwardingSettings');
      const before = Object(await read());
      expect((await put('changeCallForwarding', url, before)).status).toBe(428);
      expect((await put('changeCallForwarding', url, before, { 'if-match': '"0"' })).status).toBe(412);
      expect((await change({ activeSetting: 'Everywhere' })).status).toBe(400);
      expect((await change({ activePeriod: 7 })).status).toBe(400);
      const { activePeriod, activeSetting } = before;
      const match = { 'if-match': textAt(before, 'etag') };
      expect((await put('changeCallForwarding', url, { activePeriod, activeSetting }, match)).status).toBe(400);
      const stranger = await client.call('readCallForwarding', { url, token: other.session.token });
      expect([stranger.status, at(json(stranger), 'subcode')]).toEqual([404, 'ApplicationNotFound']);
      const wrong = await client.misuse('web', { method: 'DELETE', url, token: device.session.token });
      expect([wrong.status, header(wrong, 'allow')]).toEqual([405, 'GET, HEAD, PUT']);
    });

    it('are changed once by two clients at the same time', async () => {
      const url = device.link('me', 'callForwardingSettings');
      await change({ activeSetting: 'None' });
      const before = await read();
      const match = { 'if-match': `"${textAt(before, 'etag')}"` };
      const wanted = ['SimultaneousRing', 'ImmediateForward'];
      const answers = await Promise.all(
        wanted.map((activeSetting) => put('changeCallForwarding', url, { ...Object(before), activeSetting }, match)),
      );
      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([204, 412]);
      await change({ activeSetting: 'None' });
    });
  });

  describe('myContactsAndGroupsSubscription', () => {
    const url = (): string => device.link('people', 'myContactsAndGroupsSubscription');
    const state = async (): Promise<unknown> => at(await device.read('readContactsSubscription', url()), 'state');

    it('starts, is extended and stops, with events', async () => {
      expect(await state()).toBe('Disconnected');
      const resource = await device.read('readContactsSubscription', url());
      const start = textAt(resource, '_links', 'startOrRefreshSubscriptionToContactsAndGroups', 'href');
      const started = await device.post('startContactsSubscription', `${start}?duration=30`);
      expect([started.status, header(started, 'location'), await state()]).toEqual([201, url(), 'Connected']);
      expect((await device.post('startContactsSubscription', start, { duration: 60 })).status).toBe(201);
      const isState = (wanted: string) => (each: { resource: unknown }) => at(each.resource, 'state') === wanted;
      await device.events.until('myContactsAndGroupsSubscription', 'updated', isState('Connected'));
      const stop = textAt(resource, '_links', 'stopSubscriptionToContactsAndGroups', 'href');
      expect((await device.post('stopContactsSubscription', stop)).status).toBe(204);
      await device.events.until('myContactsAndGroupsSubscription', 'updated', isState('Disconnected'));
      expect(await state()).toBe('Disconnected');
    });

    it('decides whether the client gets events about groups', async () => {
      const groups = device.link('people', 'myGroups');
      const resource = await device.read('readContactsSubscription', url());
      const [silent, shown] = [unique('silent-'), unique('shown-')];
      await device.post(
        'stopContactsSubscription',
        textAt(resource, '_links', 'stopSubscriptionToContactsAndGroups', 'href'),
      );
      await device.post('createGroup', groups, { displayName: silent });
      const titled = (title: string) => (each: { event: unknown }) => at(each.event, 'link', 'title') === title;
      await second.events.until('group', 'added', titled(silent));
      await device.post('startContactsSubscription', url());
      await device.post('createGroup', groups, { displayName: shown });
      await device.events.until('group', 'added', titled(shown));
      expect(device.events.events.filter(titled(silent))).toEqual([]);
      for (const each of second.events.events.filter(({ rel, type }) => rel === 'group' && type === 'added')) {
        const url = textAt(each.event, 'link', 'href');
        await client.call('deleteGroup', { method: 'DELETE', url, token: second.session.token });
      }
    });

    it.each(['9', '61', 'x', '', '10.5'])('rejects a duration of "%s"', async (duration) => {
      const answer = await device.post('startContactsSubscription', `${url()}?duration=${duration}`);
      expect([answer.status, at(json(answer), 'parameters', 0, 'name')]).toEqual([400, 'duration']);
    });
  });
});
