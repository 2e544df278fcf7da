import { shown, type SeenEvent } from './inbox.js';
import { invite, MessagingWorld, type Device } from './messaging-world.js';
import { resourceHref } from './web-client.js';

let world: MessagingWorld;
let alice: Device;
let bob: Device;

beforeAll(async () => {
  world = await MessagingWorld.start({ MESSAGE_MAX_BYTES: '100' });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.signOutAll();
  alice = await world.device('alice');
  bob = await world.device('bob');
});

describe('what a client can do with messages', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' };

  it('includes HTML when both clients support it', async () => {
    const [zoe, other] = [await world.device('zoe', ['Plain', 'Html']), await world.device('alice', ['Html'])];
    await invite(zoe, 'alice');
    await other.press(resourceHref(await other.invited(), 'accept'));
    const messaging = await zoe.connected();
    expect(messaging).toMatchObject({ negotiatedMessageFormats: ['Plain', 'Html'] });
    expect(await zoe.press(resourceHref(messaging, 'sendMessage'), '<b>bold</b>', html)).toBe(201);
    const { link } = await other.received('<b>bold</b>');
    expect(resourceHref(await other.client.read(link.href), 'htmlMessage')).toMatch(/^data:text\/html;charset=utf-8,/);
  });

  it('is changed with a PUT of what was read, and an event reports it', async () => {
    const href = resourceHref(await alice.client.read(`${alice.self}/communication`));
    const before = await alice.client.read(href);
    expect(before).toMatchObject({ supportedModalities: ['Messaging'], supportedMessageFormats: ['Plain'] });
    const wanted = { ...before, supportedMessageFormats: ['Plain', 'Html'] };
    const put = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
      alice.client.send('PUT', href, body, headers);
    const current = { 'if-match': `"${before.etag}"` };
    expect((await put(wanted)).status).toBe(428);
    expect((await put(wanted, { 'if-match': '"1"' })).status).toBe(412);
    expect((await put({ supportedMessageFormats: ['Html'] }, current)).status).toBe(400);
    expect((await put({ ...wanted, supportedMessageFormats: ['Rtf'] }, current)).status).toBe(400);
    expect((await put({ ...wanted, supportedMessageFormats: 'Html' }, current)).status).toBe(400);
    expect((await put(wanted, current)).status).toBe(204);
    expect((await put(wanted, current)).status).toBe(412);
    const isNotified = (event: SeenEvent): boolean =>
      JSON.stringify(shown(event)['supportedMessageFormats']).includes('Html');
    await alice.inbox.until('communication', 'updated', isNotified);
    expect(await alice.client.read(href)).toMatchObject({ supportedMessageFormats: ['Plain', 'Html'] });
    const zoe = await world.lurker('zoe');
    const own = await zoe.client.read(`${zoe.self}/communication`);
    const refused = await zoe.client.send('PUT', resourceHref(own), own, { 'if-match': own.etag ?? '' });
    expect([refused.status, await refused.json()]).toMatchObject([409, { subcode: 'MakeMeAvailableRequired' }]);
  });
});

describe('a wrong request for an invitation', () => {
  it.each([
    ['{}', 'to'],
    ['{"to":""}', 'to'],
    ['{"to":["sip:bob@example.test"]}', 'to'],
    [`{"to":"${'x'.repeat(251)}"}`, 'to'],
    [`{"to":"bob@example.test","operationId":"${'x'.repeat(51)}"}`, 'operationId'],
    [`{"to":"bob@example.test","subject":"${'x'.repeat(251)}"}`, 'subject'],
    [`{"to":"bob@example.test","threadId":7}`, 'threadId'],
    [`{"to":"bob@example.test","importance":"High"}`, 'importance'],
    [`{"to":"bob@example.test","message":"hi"}`, 'message'],
    [`{"to":"bob@example.test","message":"data:image/png,x"}`, 'message'],
    [`{"to":"bob@example.test","message":"data:text/plain,%zz"}`, 'message'],
    [`{"to":"bob@example.test","_links":{"message":{"href":7}}}`, 'message'],
  ])('is rejected: %s', async (body, parameter) => {
    const response = await alice.client.post(`${alice.self}/communication/messagingInvitations`, body);
    const reason = { code: 'BadRequest', subcode: 'ParameterValidationFailure', parameters: [{ name: parameter }] };
    expect([response.status, await response.json()]).toMatchObject([400, reason]);
  });

  it('is rejected with a message that is too long, and outside the user’s own applications', async () => {
    const start = `${alice.self}/communication/messagingInvitations`;
    const long = { to: 'bob@example.test', message: `data:text/plain,${'x'.repeat(101)}` };
    expect(await alice.press(start, long)).toBe(413);
    expect(await alice.press(start.replace(alice.self, bob.self), { to: 'bob@example.test' })).toBe(404);
    expect(await alice.press(`${start}/none/accept`)).toBe(404);
    expect((await alice.client.get(`${start}/none`)).status).toBe(404);
  });
});
