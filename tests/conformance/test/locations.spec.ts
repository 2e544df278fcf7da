import { at, header, json, textAt, type Answer } from '../src/answer.js';
import { Device } from '../src/device.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

/** web-interface.md, section 14: clients read `Location` of every 201 without a check. */
describe('what a POST has created', () => {
  const client = new WebClient();
  const { user, otherUser } = client.system;
  let device: Device;

  beforeAll(async () => {
    device = await Device.start(client, user);
  });
  afterAll(async () => {
    await device.end();
    await client.close();
  });

  async function expectLocation(answer: Answer, readIt: string): Promise<void> {
    expect(answer.status).toBe(201);
    const location = header(answer, 'location') ?? '';
    expect(location).toMatch(/^\/[^/]/);
    expect(location).toBe(textAt(json(answer), '_links', 'self', 'href'));
    expect((await device.get(readIt, location)).status).toBe(200);
  }

  it('is at the Location of the response: applications', async () => {
    const input = { culture: 'en-US', endpointId: unique('location-'), userAgent: 'conformance/1.0' };
    const created = await device.post('createApplication', device.session.applications, input);
    await expectLocation(created, 'readApplication');
    const again = await device.post('createApplication', device.session.applications, input);
    expect(header(again, 'location')).toBe(header(created, 'location'));
    const tab = await device.post('createApplication', device.session.applications, { ...input, instanceId: 'tab' });
    await expectLocation(tab, 'readApplication');
    const known = await device.post('createApplication', device.session.applications, { ...input, instanceId: 'tab' });
    expect([known.status, header(known, 'location')]).toEqual([200, undefined]);
    const url = header(created, 'location') ?? '';
    await client.call('deleteApplication', { method: 'DELETE', url, token: device.session.token });
  });

  it('is at the Location of the response: contacts, subscriptions and meetings', async () => {
    const contactUri = `sip:${otherUser.username}`;
    const contact = { contactUri, groupId: 'pinned' };
    const membership = await device.post('addContact', device.link('people', 'myGroupMemberships'), contact);
    await expectLocation(membership, 'readGroupMembership');
    const { token } = device.session;
    const added = { method: 'DELETE', url: header(membership, 'location') ?? '', token } as const;
    expect((await client.call('removeFromGroup', added)).status).toBe(204);

    const uris = [contactUri];
    const wanted = { duration: 10, uris };
    const subscribed = await device.post('subscribeToPresence', device.link('people', 'presenceSubscriptions'), wanted);
    await expectLocation(subscribed, 'readPresenceSubscription');
    const more = textAt(json(subscribed), '_links', 'addToPresenceSubscription', 'href');
    const member = await device.post('addToPresenceSubscription', more, { contactUris: uris });
    await expectLocation(member, 'listSubscriptionMemberships');

    const meeting = await device.post('createMyOnlineMeeting', device.link('onlineMeetings', 'myOnlineMeetings'), {});
    await expectLocation(meeting, 'readMyOnlineMeeting');
    const url = header(meeting, 'location') ?? '';
    await client.call('deleteMyOnlineMeeting', { method: 'DELETE', url, token });
  });

  it('has a Location in a batch, and a refused request has none', async () => {
    const body = [
      '--b',
      'Content-Type: application/http; msgtype=request',
      '',
      `POST ${device.link('onlineMeetings', 'myOnlineMeetings')} HTTP/1.1`,
      '',
      '',
      '--b--',
    ].join('\r\n');
    const { token, application } = device.session;
    const url = textAt(application, '_links', 'batch', 'href');
    const headers = { 'content-type': 'multipart/batching;boundary=b', accept: 'multipart/batching' };
    const answer = await client.call('sendBatch', { method: 'POST', url, token, headers, body });
    const [, location = ''] = /^Location: (\/\S+)\r$/m.exec(answer.body) ?? [];
    expect((await device.get('readMyOnlineMeeting', location)).status).toBe(200);
    await client.call('deleteMyOnlineMeeting', { method: 'DELETE', url: location, token });
    const refused = await device.post('addContact', device.link('people', 'myGroupMemberships'), {});
    expect([refused.status, header(refused, 'location'), at(json(refused), 'code')]).toEqual([
      400,
      undefined,
      'BadRequest',
    ]);
  });
});
