import type { ReactNode } from 'react';
import sections from '../parts/sections.module.css';
import { PasswordForm } from './password-form.js';
import { SessionTable } from './session-table.js';
import { texts } from '../texts/account.js';

/** What people do with their own account. */
export function AccountView(): ReactNode {
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">{texts.title}</h1>
      <PasswordForm />
      <SessionTable />
    </div>
  );
}
