import { texts } from '../texts/start.js';

/** Commands for a shell, to copy. */
export interface Command {
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** Of `npm start` (PORT and COLLECTOR_PORT). */
const USUAL_PORTS = { web: '8443', feed: '8080' } as const;

/**
 * The commands that send something to a feed at this address.
 * @param page - address of the console, whose port the demo is told
 */
export function commandsFor(feedAddress: string, page: string): readonly Command[] {
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
      text: `${demoPorts(feedAddress, page)}npm run demo`, // not shown: a command is the same in all languages
    },
  ];
}

/** Settings before a command; empty for the usual ports. An address without a port is that of a proxy, which says nothing. */
function demoPorts(feedAddress: string, page: string): string {
  const [web, feed] = [new URL(page).port, new URL(feedAddress).port];
  const settings = [
    ['PORT', web, USUAL_PORTS.web],
    ['COLLECTOR_PORT', feed, USUAL_PORTS.feed],
  ] as const;
  return settings.map(([name, port, usual]) => (port === '' || port === usual ? '' : `${name}=${port} `)).join('');
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
