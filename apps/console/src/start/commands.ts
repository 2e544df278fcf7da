/** Commands for a shell, to copy. */
export interface Command {
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** The commands that send something to a feed at this address. */
export function commandsFor(feedAddress: string): readonly Command[] {
  const url = quoted(feedAddress);
  return [
    {
      title: 'Test the connection',
      about: 'On the machine of the front end. The response is “200 OK” with a Count. No record is sent yet.',
      text: `curl -i -X POST ${url} -H 'Content-Type: text/xml'`,
    },
    {
      title: 'Send the calls of a SIP server',
      about:
        'Beside Kamailio, OpenSIPS, FreeSWITCH or Asterisk, in the folder of Ringdown. It listens for HEP on port 9060.',
      text: `SUBMIT_URI=${url} FRONT_END=$(hostname) npx ringdown-sender run`,
    },
    {
      title: 'Or try it with sample calls',
      about: 'On this system’s machine, in the folder of Ringdown.',
      text: 'npm run demo',
    },
  ];
}

/** The feed listens on this machine only, because the operator has not configured who else may send. */
export function isLoopback(feedAddress: string): boolean {
  const { hostname } = new URL(feedAddress);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** One word for a shell. */
function quoted(text: string): string {
  return /^[\w:/.[\]-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
