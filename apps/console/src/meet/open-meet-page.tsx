import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { MeetPage } from './meet-page.js';
import { MeetStore } from './meet-store.js';
import { meetingAt } from './meeting-address.js';

/** Shows the page of the meeting that the address names. */
export function openMeetPage(root: Element): void {
  const meeting = meetingAt(location.pathname);
  const store = meeting && new MeetStore(meeting);
  // The token is nowhere but in this page.
  window.addEventListener('pagehide', () => store?.leave());
  window.addEventListener('online', () => store?.tryNow());
  document.addEventListener('visibilitychange', () => document.hidden || store?.tryNow());
  createRoot(root).render(
    <StrictMode>
      <MeetPage store={store} />
    </StrictMode>,
  );
}
