// The window's entry: mounts the app. Everything else stands in shell/.

import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (root) createRoot(root).render(<main data-app-state="ready">Faultline</main>)
