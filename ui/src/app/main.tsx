import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../kit/styles/fonts.css";
import "../kit/styles/tokens.css";
import "../kit/styles/base.css";

const root = document.getElementById("root");
if (root) createRoot(root).render(<StrictMode />);
