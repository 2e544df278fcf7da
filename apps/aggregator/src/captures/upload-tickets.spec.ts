import { isUploadTicket } from '@ringdown/contracts/upload-tickets';
import { UploadTickets } from './upload-tickets.js';

const NAME = 'upload~carol~site-7';
const ISSUED = Date.UTC(2026, 10, 29);

describe('the ticket of an upload', () => {
  let now = ISSUED;
  const tickets = new UploadTickets('secret', () => now);
  beforeEach(() => (now = ISSUED));

  it('is for one front end, on every replica with the same secret', () => {
    const ticket = tickets.issue(NAME, 600);
    expect(isUploadTicket(ticket)).toBe(true);
    expect(tickets.frontEndOf(ticket)).toBe(NAME);
    expect(new UploadTickets('secret', () => now).frontEndOf(ticket)).toBe(NAME);
    expect(new UploadTickets('another', () => now).frontEndOf(ticket)).toBeNull();
  });

  it('ends a minute after the time that the capture may take', () => {
    const ticket = tickets.issue(NAME, 600);
    now += 659_000;
    expect(tickets.frontEndOf(ticket)).toBe(NAME);
    now += 2_000;
    expect(tickets.frontEndOf(ticket)).toBeNull();
  });

  it('is none after any change', () => {
    const [content = '', signature = ''] = tickets.issue(NAME, 600).split('.');
    const other = Buffer.from(JSON.stringify([ISSUED, 'upload~alice'])).toString('base64url');
    for (const ticket of [
      '',
      '.',
      content,
      `${content}.`,
      `.${signature}`,
      `${content}.${signature}.`,
      `${other}.${signature}`,
      `${content}.${signature.slice(1)}`,
      `${content}.${'A'.repeat(signature.length)}`,
      `${signature}.${content}`,
    ])
      expect([ticket, tickets.frontEndOf(ticket)]).toEqual([ticket, null]);
  });
});
