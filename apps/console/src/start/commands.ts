import { texts } from '../texts/start.js';

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
      title: texts.test,
      about: texts.testAbout,
      text: `curl -i -X POST ${url} -H 'Content-Type: text/xml'`, // not shown: a command is the same in all languages
    },
    {
      title: texts.send,
      about: texts.sendAbout,
      text: `SUBMIT_URI=${url} FRONT_END=$(hostname) npx ringdown-sender run`, // not shown: a command is the same in all languages
    },
    {
      title: texts.demo,
      about: texts.demoAbout,
      text: 'npm run demo', // not shown: a command is the same in all languages
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
