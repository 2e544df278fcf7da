import { at, header, textAt } from '../src/answer.js';
import { Device } from '../src/device.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

/** web-interface.md, section 14: an `operationId` only correlates a request with its operation; some clients have one for all. */
describe('an operationId that a client uses for every invitation', () => {
  const client = new WebClient();
  const { user, otherUser, operator } = client.system;
  const operationId = 'one-for-all';
  let caller: Device;
  let callee: Device;
  let third: Device;

  beforeAll(async () => {
    caller = await Device.start(client, user);
    callee = await Device.start(client, otherUser);
    third = await Device.start(client, operator);
  });
  afterAll(async () => {
    for (const device of [caller, callee, third]) await device.end();
    await client.close();
  });

  const to = ({ username }: typeof user): string => `sip:${username}`;
  const cancel = async (invitation: string): Promise<void> => {
    const href = textAt(await caller.read('readMessagingInvitation', invitation), '_links', 'cancel', 'href');
    expect((await caller.post('stopMessaging', href)).status).toBe(204);
  };

  it('calls each of two people who are invited in one session', async () => {
    const subject = unique('two-');
    const first = await caller.invite({ operationId, to: to(otherUser), subject });
    const second = await caller.invite({ operationId, to: to(operator), subject });
    expect(second).not.toBe(first);
    const [atCallee, atThird] = [await callee.invited(subject), await third.invited(subject)];
    for (const [device, invitation] of [
      [callee, atCallee],
      [third, atThird],
    ] as const) {
      const accept = textAt(invitation, '_links', 'accept', 'href');
      expect((await device.post('acceptMessaging', accept)).status).toBe(204);
    }
    for (const location of [first, second]) {
      await caller.events.until(
        'messagingInvitation',
        'completed',
        ({ resource }) => textAt(resource, '_links', 'self', 'href') === location,
      );
      expect(await caller.read('readMessagingInvitation', location)).toMatchObject({ state: 'Connected', operationId });
    }
  });

  it('repeats a message while the id has one text, or the message is under way', async () => {
    const subject = unique('texts-');
    await caller.invite({ to: to(otherUser), subject });
    expect(
      (await callee.post('acceptMessaging', textAt(await callee.invited(subject), '_links', 'accept', 'href'))).status,
    ).toBe(204);
    const connected = await caller.events.until('messaging', 'updated', ({ resource }) => {
      return at(resource, 'state') === 'Connected' && at(resource, '_links', 'sendMessage') !== undefined;
    });
    const url = `${textAt(connected.resource, '_links', 'sendMessage', 'href')}?operationId=${operationId}`;
    const send = async (text: string): Promise<string> => header(await caller.sendText(url, text), 'location') ?? '';
    const one = await send('one');
    expect(await send('one')).toBe(one);
    const two = await send('two');
    expect(two).not.toBe(one);
    const received = (text: string): Promise<unknown> =>
      callee.events.until('message', 'completed', ({ resource }) =>
        String(at(resource, '_links', 'plainMessage', 'href')).endsWith(`,${text}`),
      );
    await received('two');
    // The callee acknowledges a package with its next request.
    await send('three');
    await received('three');
    await caller.events.until(
      'message',
      'completed',
      ({ resource }) => textAt(resource, '_links', 'self', 'href') === one,
    );
    expect(await send('one')).not.toBe(one);
  });

  it('repeats an invitation only while it is pending', async () => {
    const subject = unique('pending-');
    const input = { operationId, to: to(otherUser), subject, sessionContext: 'x', message: 'data:text/plain,hi' };
    const first = await caller.invite(input);
    expect(await caller.invite(input)).toBe(first);
    expect(await caller.invite({ ...input, to: otherUser.username.toUpperCase() })).toBe(first);
    await cancel(first);
    const again = await caller.invite(input);
    expect(again).not.toBe(first);
    await callee.events.until(
      'messagingInvitation',
      'started',
      ({ resource }) => at(resource, 'subject') === subject && textAt(resource, '_links', 'self', 'href') !== first,
    );
    await cancel(again);
  });

  it.each([
    ['subject', { subject: 'another' }],
    ['threadId', { threadId: unique('thread-') }],
    ['message', { message: 'data:text/plain,other' }],
    ['sessionContext', { sessionContext: 'another' }],
  ])('begins a second invitation with another %s', async (_what, change) => {
    const input = { operationId, to: to(otherUser), subject: unique('differs-'), message: 'data:text/plain,hi' };
    const first = await caller.invite(input);
    const second = await caller.invite({ ...input, ...change });
    expect(second).not.toBe(first);
    for (const each of [first, second]) await cancel(each);
  });

  it('is no repeat after a restart of the client', async () => {
    const subject = unique('restart-');
    const first = await caller.invite({ operationId, to: to(otherUser), subject });
    const restarted = await caller.restart();
    expect(restarted.session.self).toBe(caller.session.self);
    const second = await restarted.invite({ operationId, to: to(operator), subject });
    expect(second).not.toBe(first);
    await third.invited(subject);
    for (const each of [first, second]) await cancel(each);
  });

  it('does not belong to another client of the same person', async () => {
    const other = await Device.start(client, user);
    const input = { operationId, to: to(otherUser), subject: unique('clients-') };
    const [first, second] = [await caller.invite(input), await other.invite(input)];
    expect(second.split('/').at(-1)).not.toBe(first.split('/').at(-1));
    await cancel(first);
    await other.end();
  });
});
