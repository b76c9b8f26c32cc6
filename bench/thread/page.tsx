// The studio as `app/layout.tsx` and `app/page.tsx` show it. The bench's build puts the plain list into it.
import '#app/globals.css';
import { createRoot } from 'react-dom/client';
import { StudioRoot } from '#components/layout/studio-root.tsx';

// Directly in the body, as there.
createRoot(document.body).render(<StudioRoot />);
