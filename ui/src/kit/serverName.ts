import { createContext } from "react";

/** What the server is called: the end of each document title. */
export const ServerName = createContext("Shelfwise");
