import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from './read-feed-message.js';
import {
  readAcceptedReports,
  readAcceptedVersions,
  writeConfigurationReply,
  writeConfigurationRequest,
  writeCountReply,
  writeRejection,
} from './write-replies.js';

describe('the replies of a collector', () => {
  it('contain a count', () => {
    expect(writeCountReply(7)).toBe('<Response><Count>7</Count></Response>');
  });

  it('contain a configuration, with escaped input', () => {
    const parameters = new Map<string, string | number>([
      ['submituri', 'http://collector.example.test:8080/a?b&c'],
      ['maxretry', 100],
    ]);
    expect(writeConfigurationReply({ identifier: 'fe"1', parameters })).toBe(
      '<Configuration Version="1.0" culture="en-US" Kind="Listener" Identifier="fe&quot;1">' +
        '<parameter key="submituri">http://collector.example.test:8080/a?b&amp;c</parameter>' +
        '<parameter key="maxretry">100</parameter></Configuration>',
    );
    expect(writeConfigurationReply({ parameters: new Map() })).toBe(
      '<Configuration Version="1.0" culture="en-US" Kind="Listener"/>',
    );
  });

  it('name the versions of records that are accepted', () => {
    const reply = writeConfigurationReply({ acceptedVersions: ['1.0', 'D'], parameters: new Map() });
    expect(reply).toContain(' AcceptedVersions="1.0 D"');
    expect(readAcceptedVersions(reply)).toEqual(['1.0', 'D']);
  });

  it('name what else is accepted', () => {
    const reply = writeConfigurationReply({ acceptedReports: ['SipFailures', 'Other'], parameters: new Map() });
    expect(readAcceptedReports(reply)).toEqual(['SipFailures', 'Other']);
    expect(readAcceptedReports('<Configuration Version="1.0"/>')).toEqual([]);
  });

  it.each(['', '<Configuration Version="1.0"/>', '<X AcceptedVersions="D"/>', '<Configuration >AcceptedVersions="D"'])(
    'name no versions in %j',
    (reply) => {
      expect(readAcceptedVersions(reply)).toEqual([]);
    },
  );

  it('report that a configuration has not changed', () => {
    expect(writeConfigurationReply({ identifier: 'fe1', currentVersion: '7' })).toBe(
      '<Configuration Version="1.0" culture="en-US" Kind="Listener" Identifier="fe1" CurrentVersion="7" Unchanged="True"/>',
    );
  });

  it('reject with a code and a reason', () => {
    expect(writeRejection('not-xml', 'Unclosed tag: <a>.')).toBe(
      '<Error><Code>not-xml</Code><Reason>Unclosed tag: &lt;a&gt;.</Reason></Error>',
    );
  });
});

describe('a configuration request', () => {
  it('contains its empty elements, as known senders read it', () => {
    expect(writeConfigurationRequest({ frontEnd: 'fe1' })).toBe(
      '<GetConfiguration Version="1.0"><Pool/><FrontEnd>fe1</FrontEnd><CurrentVersion/></GetConfiguration>',
    );
  });

  it('is read as it was written', () => {
    const request = { version: '1.0', pool: 'p&p', frontEnd: 'fe1', currentVersion: '3' };
    expect(readFeedMessage(writeConfigurationRequest(request), defaultProfile)).toEqual({
      kind: 'configurationRequest',
      request,
    });
  });
});
