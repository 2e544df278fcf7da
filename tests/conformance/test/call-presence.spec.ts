import { at, json, textAt } from '../src/answer.js';
import { FeedClient } from '../src/feed-client.js';
import { CallRecords } from '../src/records.js';
import { callSides } from '../src/sides.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique, until } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

describe('presence from the calls of the feed', () => {
  const client = new WebClient();
  const feed = new FeedClient();
  const { names, user, otherUser } = client.system;
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, user, unique('calls-'));
  });
  afterAll(async () => {
    await client.call('deleteApplication', { method: 'DELETE', url: session.self, token: session.token });
    feed.close();
    await client.close();
  });

  async function isOnThePhone(): Promise<boolean> {
    const { token, search } = session;
    const found = await client.call('searchPeople', { url: `${search}?query=${otherUser.username}`, token });
    const url = textAt(json(found), '_embedded', 'contact', 0, '_links', 'contactPresence', 'href');
    const presence = json(await client.call('readContactPresence', { url, token }));
    return at(presence, 'availability') === 'Busy' && at(presence, 'activity') === 'on-the-phone';
  }

  it('shows a person as on the phone from the start of a call to its end, whichever front ends report it', async () => {
    const callId = unique('phone-');
    const { caller, callee } = callSides(callId);
    const call = (frontEnd: string): CallRecords =>
      new CallRecords({
        names,
        callId,
        frontEnd: unique(frontEnd),
        caller,
        callee: { ...callee, uri: `sip:${otherUser.username.toUpperCase()}` },
        startsAt: Date.now() - 60_000,
      });
    expect(await isOnThePhone()).toBe(false);
    const [one, two] = [call('fe-'), call('fe-')];
    await feed.post(one.start());
    await feed.post(two.start());
    await until('the call to be seen', async () => (await isOnThePhone()) || undefined);
    await feed.post(two.ended(30));
    await until('the end to be seen', async () => !(await isOnThePhone()) || undefined);
    expect(await isOnThePhone()).toBe(false);
  });
});
