import type { ReactNode } from 'react';
import { useSignedIn } from '../services/services.js';
import { AlertBanner } from './alert-banner.js';

/** What is shown above every view. */
export function Notices(): ReactNode {
  const { roles } = useSignedIn();
  return roles.includes('operator') && <AlertBanner />;
}
