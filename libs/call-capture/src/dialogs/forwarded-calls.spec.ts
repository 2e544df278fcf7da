import { words, STARTS } from '../../test/event-words.js';
import { BY_BOB, PlayedCall } from '../../test/played-call.js';
import { request, response } from '../../test/sip-messages.js';

const CAROL = 'sip:carol@example.test';
const BY_PROXY = { branch: 'z9hG4bK-proxy' };
const NEXT = { branch: 'z9hG4bK-next', target: CAROL };
const CHANGED_TAG = { branch: 'z9hG4bK-2', from: '<sip:alice@example.test>;tag=a2' };

let call: PlayedCall;

function redirection(): Readonly<Record<string, unknown>> {
  const further = call.records.at(-1)?.connection.further ?? {};
  return Object.fromEntries(Object.entries(further).filter(([name]) => name.startsWith('Redirected')));
}

function followed(code: string): object {
  return { RedirectedFrom: 'sip:bob@example.test', 'RedirectedFrom@Code': code, RedirectedTo: CAROL };
}

beforeEach(() => {
  call = new PlayedCall();
  call.invite();
});

describe('a redirection that the proxy follows', () => {
  function redirect(): void {
    const headers = [`Contact: <sip:dora@example.test>, <${CAROL}>`];
    call.receive(response('302 Moved Temporarily', 'INVITE', { ...BY_PROXY, headers }));
  }

  beforeEach(() => {
    call.invite(BY_PROXY);
    redirect();
  });

  it('is reported also if the response is captured again', () => {
    call.invite(NEXT);
    redirect();
    call.answer();
    expect(redirection()).toEqual(followed('302'));
  });

  it('is reported with the start of the call', () => {
    call.invite(NEXT);
    call.answer();
    expect(redirection()).toEqual(followed('302'));
  });

  it('is reported with the failure of the call', () => {
    call.invite(NEXT);
    call.receive(response('486 Busy Here', 'INVITE'));
    expect(redirection()).toEqual(followed('302'));
  });

  it('is not reported if another device answers', () => {
    call.invite({ branch: 'z9hG4bK-next', target: 'sip:erin@example.test' });
    call.answer();
    expect(redirection()).toEqual({});
  });
});

describe('a call that the proxy forwards with 181', () => {
  const announce = (): unknown => call.receive(response('181 Call Is Being Forwarded', 'INVITE'));

  it.each<[string, () => unknown]>([
    ['before', () => [announce(), call.invite(NEXT)]],
    ['after', () => [call.invite(NEXT), announce()]],
  ])('has the redirection with its start, if the INVITE was captured %s it', (_when, forward) => {
    forward();
    call.answer();
    expect(redirection()).toEqual(followed('181'));
  });

  it('has no redirection if it is not known to whom', () => {
    call.invite({ ...BY_PROXY, target: 'sip:bob@192.0.2.20:5062' });
    announce();
    call.answer();
    expect(redirection()).toEqual({});
  });
});

describe('a call that the proxy forwards without 181', () => {
  const toVoicemail = { branch: 'z9hG4bK-next', target: 'sip:voicemail@example.test' };

  it('has the redirection without a code if Diversion names the callee', () => {
    call.invite({ ...toVoicemail, headers: ['Diversion: "Bob" <sip:bob@example.test>;reason=no-answer'] });
    call.answer();
    expect(redirection()).toEqual({ RedirectedFrom: 'sip:bob@example.test', RedirectedTo: toVoicemail.target });
  });

  it.each<[string, string[]]>([
    ['without Diversion', []],
    ['with the Diversion of another callee', ['Diversion: <sip:erin@example.test>;reason=no-answer']],
  ])('has no redirection %s', (_with, headers) => {
    call.invite({ ...toVoicemail, headers });
    call.answer();
    expect(redirection()).toEqual({});
  });
});

describe('a caller that goes on with another Call-ID', () => {
  it('is reported with the address that it calls', () => {
    const headers = [`Contact: <sip:dora@example.test>, <${CAROL}>`];
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers }));
    call.invite({ callId: 'call-2', target: CAROL });
    const ended = call.records.find(({ events }) => events[0]?.kind === 'error');
    expect(ended?.connection.further).toEqual(followed('302'));
  });
});

describe('a caller that retries with a password', () => {
  beforeEach(() => {
    call.receive(response('407 Proxy Authentication Required', 'INVITE'));
  });

  it('and another tag continues the call', () => {
    expect(words(call.invite({ ...CHANGED_TAG, cseq: 2 }))).toEqual(['invite']);
    expect(words(call.answer({ ...CHANGED_TAG, cseq: 2 }))).toEqual(STARTS);
    call.bye({ from: CHANGED_TAG.from });
    expect(call.records.at(-1)?.connection.further).toEqual({ EndedBy: 'Caller' });
  });

  it('is not another caller with the same Call-ID', () => {
    const erin = { branch: 'z9hG4bK-2', cseq: 2, from: '<sip:erin@example.test>;tag=e' };
    expect(words(call.invite(erin))).toEqual(['invite']);
    expect(call.records.map(({ connection }) => connection.callId)).toEqual(['call-1', 'call-1;from-tag=e']);
  });
});

describe('a REFER that was rejected', () => {
  it('is not reported as a transfer', () => {
    call.answer();
    call.receive(request('REFER', { ...BY_BOB, headers: [`Refer-To: <${CAROL}>`] }));
    call.receive(response('603 Decline', 'REFER', BY_BOB));
    call.bye();
    expect(call.records.at(-1)?.connection.further).toEqual({ EndedBy: 'Caller' });
  });
});
