-- Syncs a statistics file as KOReader does, with its own files: the merge of its statistics plugin and its WebDAV client. What they show
-- or ask of a device is left out. Usage: luajit koreader.lua CHECKOUT ADDRESS LOGIN PASSWORD FILE
local checkout, address, login, password, file = unpack(arg)
local plugins = checkout .. "/plugins/"
local ffi = require("ffi")

ffi.cdef[[
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *, sqlite3 **);
int sqlite3_close_v2(sqlite3 *);
int sqlite3_exec(sqlite3 *, const char *, void *, void *, char **);
const char *sqlite3_errmsg(sqlite3 *);
int sqlite3_prepare_v2(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
int sqlite3_step(sqlite3_stmt *);
double sqlite3_column_double(sqlite3_stmt *, int);
int sqlite3_finalize(sqlite3_stmt *);
]]
local sqlite = ffi.load("sqlite3.so.0")

local Connection = {}
Connection.__index = Connection

function Connection:check(code)
    if code ~= 0 then error(ffi.string(sqlite.sqlite3_errmsg(self.db))) end
end

function Connection:exec(sql)
    self:check(sqlite.sqlite3_exec(self.db, sql, nil, nil, nil))
end

function Connection:rowexec(sql)
    local statement = ffi.new("sqlite3_stmt *[1]")
    self:check(sqlite.sqlite3_prepare_v2(self.db, sql, -1, statement, nil))
    local has_row = sqlite.sqlite3_step(statement[0]) == 100
    local value = has_row and sqlite.sqlite3_column_double(statement[0], 0) or nil
    self:check(sqlite.sqlite3_finalize(statement[0]))
    return value
end

function Connection:close()
    sqlite.sqlite3_close_v2(self.db)
end

local function open(path)
    local db = ffi.new("sqlite3 *[1]")
    assert(sqlite.sqlite3_open(path, db) == 0)
    return setmetatable({ db = db[0] }, Connection)
end

-- Anything that is asked of it is itself again.
local anything = {}
setmetatable(anything, {
    __index = function() return anything end,
    __call = function(_, _, given) return type(given) == "table" and given or anything end,
    __concat = function() return "" end,
})

local function contents(path)
    local from = assert(io.open(path, "rb"))
    local all = from:read("*a")
    from:close()
    return all
end

local shown = {}
local known = {
    ["lua-ljsqlite3/init"] = { open = open },
    ["gettext"] = setmetatable({}, { __call = function(_, text) return text end }),
    ["ui/uimanager"] = {
        nextTick = function(_, call) call() end,
        show = function(_, widget) table.insert(shown, widget.text) end,
    },
    ["ui/network/manager"] = { willRerunWhenConnected = function() return false end },
    ["ui/widget/infomessage"] = { new = function(_, widget) return widget end },
    ["ui/widget/notification"] = { new = function(_, widget) return widget end },
    ["socketutil"] = { set_timeout = function() end, reset_timeout = function() end },
    ["libs/libkoreader-lfs"] = { attributes = function(path) return #contents(path) end },
    ["ffi/util"] = {
        basename = function(path) return path:match("([^/]*)/*$") end,
        copyFile = function(from, to) local out = io.open(to, "wb") out:write(contents(from)) out:close() end,
        template = function(text) return text end,
    },
    ["util"] = {
        tableDeepCopy = function(one) local copy = {} for key, value in pairs(one) do copy[key] = value end return copy end,
        urlEncode = function(text) return text end,
        urlDecode = function(text) return text end,
        htmlEntitiesToUtf8 = function(text) return text end,
    },
}
table.insert(package.loaders, 2, function(name)
    local is_real = name:match("^socket") or name:match("^mime") or name == "ltn12"
    if is_real and not known[name] then return end
    return function() return known[name] or anything end
end)
G_reader_settings = { isTrue = function() return true end }

local statistics = dofile(plugins .. "statistics.koplugin/main.lua")
local cloud = dofile(plugins .. "cloudstorage.koplugin/main.lua")
local webdav = dofile(plugins .. "cloudstorage.koplugin/providers/webdav.lua")

local server = { type = "webdav", address = address, username = login, password = password, url = "/statistics" }
webdav.base = server
local folders = webdav.listFolder("", true)
assert(folders and folders[1] and folders[1].text == "statistics/", "the folder is not shown")
cloud.sync({ providers = { webdav = webdav } }, server, file, statistics.onSync)
for _, text in ipairs(shown) do print(text) end
assert(shown[#shown] == "Successfully synchronized.", "the sync failed")
