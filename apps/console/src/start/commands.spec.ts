import { commandsFor, isLoopback } from './commands.js';

const PAGE = 'https://localhost:8443/console/start';

describe('the commands of the start page', () => {
  it('contain the address of the feed', () => {
    const [test, send] = commandsFor('http://uc.example.test:8080/', PAGE);
    expect(test?.text).toBe("curl -i -X POST http://uc.example.test:8080/ -H 'Content-Type: text/xml'");
    expect(send?.text).toMatch(/^SUBMIT_URI=http:\/\/uc.example.test:8080\/ /);
  });

  it('quote what a shell would read otherwise', () => {
    expect(commandsFor("https://a.test/?b=c&d='e'", PAGE)[0]?.text).toContain(
      String.raw`'https://a.test/?b=c&d='\''e'\'''`,
    );
  });

  it.each([
    ['http://localhost:8080/', PAGE, 'npm run demo'],
    ['http://localhost:9080/', PAGE, 'COLLECTOR_PORT=9080 npm run demo'],
    ['http://localhost:9080/', 'https://localhost:9443/console/', 'PORT=9443 COLLECTOR_PORT=9080 npm run demo'],
    // Behind a proxy the ports of the system are not known.
    ['https://uc.example.test/', 'https://uc.example.test/console/start', 'npm run demo'],
  ])('of a feed at %s and a console at %s start the demo with %s', (feed, page, command) => {
    expect(commandsFor(feed, page).at(-1)?.text).toBe(command);
  });

  it.each([
    ['http://127.0.0.1:8080/', true],
    ['http://[::1]:8080/', true],
    ['http://localhost:8080/', true],
    ['http://127.example.test:8080/', false],
    ['https://uc.example.test/', false],
  ])('warn of %s that only this machine reaches it: %s', (address, isOnlyHere) => {
    expect(isLoopback(address)).toBe(isOnlyHere);
  });
});
