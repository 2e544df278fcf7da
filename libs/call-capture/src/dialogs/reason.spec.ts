import { request } from '../../test/sip-messages.js';
import { readSip } from '../sip/read-sip.js';
import { ANSWERED, isCompletedElsewhere, mainReason, reasonsIn, type Reason } from './reason.js';

function reasons(...headers: readonly string[]): readonly Reason[] {
  return reasonsIn(readSip(request('BYE', { headers: headers.map((value) => `Reason: ${value}`) })).headers);
}

function main(headers: readonly string[], status = 480): string | undefined {
  const found = mainReason(reasons(...headers), status);
  return found && `${found.protocol} ${found.cause} ${found.text}`.trim();
}

describe('the reasons of a message', () => {
  it('are the values of all headers, also of those with several', () => {
    expect(reasons('SIP;cause=480, Q.850 ; cause=20 ; text="Subscriber absent"', 'X;cause=1')).toEqual([
      { protocol: 'SIP', cause: '480', text: '' },
      { protocol: 'Q.850', cause: '20', text: 'Subscriber absent' },
      { protocol: 'X', cause: '1', text: '' },
    ]);
  });

  it('have texts with commas, semicolons and quotes', () => {
    expect(reasons(String.raw`Q.850;text="No, \"never\"; SIP;cause=1";cause=21, SIP;cause=603`)).toEqual([
      { protocol: 'Q.850', cause: '21', text: 'No, "never"; SIP;cause=1' },
      { protocol: 'SIP', cause: '603', text: '' },
    ]);
  });

  it.each([
    ['that of the network', ['SIP;cause=480, Q.850;cause=20;text="Subscriber absent"'], 'Q.850 20 Subscriber absent'],
    ['that of another header', ['SIP;cause=480;text="Temporarily Unavailable"', 'Q.850;cause=18'], 'Q.850 18'],
    ['another status of SIP', ['SIP;cause=480', 'SIP;cause=408;text="Timeout"'], 'SIP 408 Timeout'],
    ['the first of several alike', ['Q.850;cause=34', 'Q.850;cause=17'], 'Q.850 34'],
    ['preemption', ['Q.850;cause=8', 'preemption ;cause=1 ;text="UA Preemption"'], 'preemption 1 UA Preemption'],
    ['an answer elsewhere', ['Q.850;cause=26', 'SIP;cause=200;text="Elsewhere"'], 'SIP 200 Elsewhere'],
    [
      'an answer elsewhere in words alone',
      ['Q.850;cause=16', 'SIP;text="call completed elsewhere"'],
      'SIP  call completed elsewhere',
    ],
    ['that of the network without its dot', ['SIP;cause=408', 'q850;cause=19'], 'q850 19'],
    ['the status itself, if there is nothing else', ['SIP;cause=480'], 'SIP 480'],
    ['none, if all are empty', ['', ',,'], undefined],
  ])('are shown by what tells most: %s', (_what, headers, expected) => {
    expect(main(headers)).toBe(expected);
  });

  it.each([
    ['that of the network', ['SIP;cause=200;text="OK", Q.850;cause=16;text="Normal"'], 'Q.850 16 Normal'],
    ['an answer elsewhere', ['Q.850;cause=16', 'SIP;cause=200;text="Call completed elsewhere"'], /^SIP 200 Call/],
    ['the status itself, if there is nothing else', ['SIP;cause=200'], 'SIP 200'],
  ])('of a BYE are shown by what tells most: %s', (_what, headers, expected) => {
    expect(main(headers, ANSWERED)).toMatch(expected);
  });

  it.each([
    ['SIP;cause=200', true],
    ['Q850;cause=26', true],
    ['SIP;text="Call Completed Elsewhere"', true],
    ['SIP;cause=487;text="not completed elsewhere"', false],
    ['Q.850;cause=16', false],
  ])('show whether another phone has answered: %s', (reason, isElsewhere) => {
    expect(isCompletedElsewhere(readSip(request('CANCEL', { headers: [`Reason: ${reason}`] })).headers)).toBe(
      isElsewhere,
    );
  });

  it('are read in linear time', () => {
    const begun = process.cpuUsage();
    for (const piece of ['"', ',', ';', '\\"', 'a=', '<']) reasons(piece.repeat(30_000 / piece.length));
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
  });
});
