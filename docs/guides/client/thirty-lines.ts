// node thirty-lines.ts SERVER USERNAME PASSWORD NAME TEXT: finds somebody, writes to them, and shows what comes of it
const [server, username = '', password = '', name = '', text = ''] = process.argv.slice(2);
const headers = new Headers({ 'content-type': 'application/json' });

function ask(href: string, body?: object): Promise<Response> {
  return fetch(new URL(href, server), body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
}
async function json(answer: Promise<Response>): Promise<ReturnType<typeof JSON.parse>> {
  return (await answer).json();
}

// Discovery leads to the user; without a token the user says where there are tokens.
const { user } = (await json(ask('/')))._links;
const [, tokens = ''] = /href="(.*?)"/.exec((await ask(user.href)).headers.get('www-authenticate') ?? '') ?? [];
const form = new URLSearchParams({ grant_type: 'password', username, password });
headers.set('authorization', `Bearer ${(await json(fetch(tokens, { method: 'POST', body: form }))).access_token}`);

// An application is one client of the user. Whoever wants to be written to makes himself available in it.
const { applications } = (await json(ask(user.href)))._links;
const endpoint = { culture: 'en-US', endpointId: crypto.randomUUID(), userAgent: 'Guide/1.0' };
const application = await json(ask(applications.href, endpoint));
const { me, people, communication } = application._embedded;
await ask(me._links.makeMeAvailable.href, { supportedModalities: ['Messaging'] });

// Find somebody, and invite them with the first words.
const found = await json(ask(`${people._links.search.href}?query=${encodeURIComponent(name)}`));
const message = `data:text/plain,${encodeURIComponent(text)}`;
await ask(communication._links.startMessaging.href, { to: found._embedded.contact[0].uri, message });

// What comes of it is told by events. Each answer links the next; asking for it says that this one has arrived.
for (let next = application._links.events.href, batch; ; next = (batch._links.next ?? batch._links.resync).href) {
  batch = await json(ask(next));
  for (const { events } of batch.sender)
    for (const event of events) console.log(event.link.rel, event.type, event.reason ?? '');
}
