import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { restorePathAfterProviderSignIn } from './lib/after-sign-in.ts';
import { captureLinkTokenFromUrl, followLinksOfOpenPage } from './lib/link-token.ts';
import { queryClient, router } from './router.tsx';
import './theme.css';

captureLinkTokenFromUrl();
followLinksOfOpenPage();
restorePathAfterProviderSignIn();
const root = document.querySelector('#root');
if (!root) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
