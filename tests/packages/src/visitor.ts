/**
 * A program for the Node of a package: signs in as the operator of the first users, posts a record to the feed, and prints the call that it
 * has become. Arguments: data folder, web port, feed port, Call-ID.
 */
export const VISITOR_PROGRAM = `
const [data, port, feedPort, callId] = process.argv.slice(1);
const origin = 'https://localhost:' + port;
const fs = require('node:fs');
const users = JSON.parse(fs.readFileSync(data + '/first-users.json', 'utf8'));
const { username, password } = users.find(({ roles }) => roles.includes('operator'));
const record = '<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd><CallId>' + callId + '</CallId><CSEQ>2</CSEQ>' +
  '<TimeStamp>' + new Date().toISOString() + '</TimeStamp></ConnectionInfo><Ended/></Diagnostics>';
(async () => {
  const post = { method: 'POST', headers: { 'content-type': 'text/xml' }, body: record };
  if (process.env.POST !== 'no') {
    const posted = await fetch('http://localhost:' + feedPort + '/', post);
    if (!posted.ok) throw new Error('the feed: ' + posted.status + ' ' + (await posted.text()));
  }
  const body = new URLSearchParams({ grant_type: 'password', username, password });
  const { access_token: token } = await (await fetch(origin + '/uc/token', { method: 'POST', body })).json();
  const headers = { authorization: 'Bearer ' + token };
  for (const until = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const found = await fetch(origin + '/api/calls/' + callId, { headers });
    if (found.ok) return console.log((await found.json()).callId);
    if (Date.now() > until) throw new Error('the call: ' + found.status);
  }
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
`;

/**
 * A program for the Node of a package: what the API answers to the operator of the first users, or to `WHO` with `PASSWORD`. Prints a list, and ends with 1 where
 * the sign-in or an answer has another status than 200. Arguments: data folder, web port, paths.
 */
export const READER_PROGRAM = `
const [data, port, ...paths] = process.argv.slice(1);
const origin = 'https://localhost:' + port;
const users = JSON.parse(require('node:fs').readFileSync(data + '/first-users.json', 'utf8'));
const operator = users.find(({ roles }) => roles.includes('operator'));
const { WHO: username = operator.username, PASSWORD: password = operator.password } = process.env;
(async () => {
  const read = async (what, answer) => {
    if (!answer.ok) throw new Error(what + ': ' + answer.status + ' ' + (await answer.text()));
    return answer.json();
  };
  const body = new URLSearchParams({ grant_type: 'password', username, password });
  const { access_token: token } = await read('the sign-in', await fetch(origin + '/uc/token', { method: 'POST', body }));
  const headers = { authorization: 'Bearer ' + token };
  const answers = [];
  for (const path of paths) answers.push(await read(path, await fetch(origin + path, { headers })));
  console.log(JSON.stringify(answers));
})().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
`;
