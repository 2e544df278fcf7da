// node thirty-lines.ts SERVER USERNAME PASSWORD NAME TEXT: finds a person, sends a message, and prints the events
const [server, username = '', password = '', name = '', text = ''] = process.argv.slice(2);
const headers = new Headers({ 'content-type': 'application/json' });

function request(href: string, body?: object): Promise<Response> {
  return fetch(new URL(href, server), body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
}
async function json(answer: Promise<Response>): Promise<ReturnType<typeof JSON.parse>> {
  return (await answer).json();
}

// Discovery links the user resource; without a token, the user resource names the token service.
const { user } = (await json(request('/')))._links;
const [, tokens = ''] = /href="(.*?)"/.exec((await request(user.href)).headers.get('www-authenticate') ?? '') ?? [];
const form = new URLSearchParams({ grant_type: 'password', username, password });
headers.set('authorization', `Bearer ${(await json(fetch(tokens, { method: 'POST', body: form }))).access_token}`);

// An application is one client of the user. To receive messages, the user must be available in it.
const { applications } = (await json(request(user.href)))._links;
const endpoint = { culture: 'en-US', endpointId: crypto.randomUUID(), userAgent: 'Guide/1.0' };
const application = await json(request(applications.href, endpoint));
const { me, people, communication } = application._embedded;
await request(me._links.makeMeAvailable.href, { supportedModalities: ['Messaging'] });

// Find a person, and send an invitation with the first message.
const found = await json(request(`${people._links.search.href}?query=${encodeURIComponent(name)}`));
const message = `data:text/plain,${encodeURIComponent(text)}`;
await request(communication._links.startMessaging.href, { to: found._embedded.contact[0].uri, message });

// Events report the result. Each batch links the next; the request for the next batch acknowledges this one.
for (let next = application._links.events.href, batch; ; next = (batch._links.next ?? batch._links.resync).href) {
  batch = await json(request(next));
  for (const { events } of batch.sender)
    for (const event of events) console.log(event.link.rel, event.type, event.reason ?? '');
}
