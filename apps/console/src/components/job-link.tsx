import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export function JobLink({ jobId, children }: { jobId: string; children: ReactNode }) {
  return (
    <Link to="/jobs/$jobId" params={{ jobId }} className="text-accent break-all underline underline-offset-2">
      {children}
    </Link>
  );
}
