import { commandsFor, isLoopback } from './commands.js';

describe('the commands of the start page', () => {
  it('contain the address of the feed', () => {
    const [test, send] = commandsFor('http://uc.example.test:8080/');
    expect(test?.text).toBe("curl -i -X POST http://uc.example.test:8080/ -H 'Content-Type: text/xml'");
    expect(send?.text).toMatch(/^SUBMIT_URI=http:\/\/uc.example.test:8080\/ /);
  });

  it('quote what a shell would read otherwise', () => {
    expect(commandsFor("https://a.test/?b=c&d='e'")[0]?.text).toContain(String.raw`'https://a.test/?b=c&d='\''e'\'''`);
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
